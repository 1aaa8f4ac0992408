package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.stream.RowPipe;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * All rows of a table without a key, as one snapshot of the source sees them, on their way to the targets.
 *
 * @param pipes one for each target
 * @param entered the stream's answer, once it is at the snapshot's place: the targets that wait for the rows
 * @param applied to be called by each of these once it is done
 */
public record Pass(List<RowPipe> pipes, CompletableFuture<BitSet> entered, Runnable applied) {
    static Pass of(int targets, Runnable applied) {
        return new Pass(Stream.generate(RowPipe::new).limit(targets).toList(), new CompletableFuture<>(), applied);
    }
}
