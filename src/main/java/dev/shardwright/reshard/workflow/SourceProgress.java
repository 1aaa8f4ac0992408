package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.topology.keyrange.KeyRange;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the mover of one source says. */
public record SourceProgress(KeyRange source, MoverProgress progress) {

    static Optional<String> behind(List<SourceProgress> sources) {
        var all = sources.stream()
                .filter(source -> source.progress.behind() != null)
                .map(source -> "shard " + source.source + ": " + source.progress.behind())
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    boolean reads() {
        return progress.stage() == Stage.Copying || progress.stage() == Stage.Verifying;
    }
}
