package dev.shardwright.operator.desired;

/**
 * What the operator runs routers and movers with.
 *
 * @param image its own image's reference
 * @param pullPolicy as Kubernetes writes it
 */
public record Runtime(String image, String pullPolicy) {}
