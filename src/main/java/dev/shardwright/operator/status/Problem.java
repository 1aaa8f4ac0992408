package dev.shardwright.operator.status;

/**
 * Why something is not as it should be.
 *
 * @param reason one CamelCase word for machines
 * @param message for people; says what to do
 */
public record Problem(String reason, String message) {}
