package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.cutover.ObjectMove;
import dev.shardwright.reshard.cutover.Sides;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Copying -> CatchingUp -> Verifying -> Verified, as the movers get there; and the watch over streams that run. */
final class Moving {
    private static final int MISMATCHES_SHOWN = 3;

    private final WorkflowPorts ports;
    private final TopologyWriter writer;
    /** The token that this engine has put on the targets of a workflow. */
    private final Map<String, Long> tokens = new HashMap<>();
    /** Workflows whose targets have got views, routines and the like from this engine. */
    private final Set<String> withObjects = new HashSet<>();

    Moving(WorkflowPorts ports, TopologyWriter writer) {
        this.ports = ports;
        this.writer = writer;
    }

    WorkflowReport advance(Situation situation) throws SQLException {
        var entry = situation.entry();
        var specs = Streams.forward(situation.topology(), entry);
        ensureForward(situation, specs);
        var watch = Watch.of(ports.movers(), specs);
        var problems = objects(situation, watch);
        var phase = problems.isEmpty() ? reached(situation.phase(), watch) : situation.phase();
        if (!phase.equals(situation.phase())) {
            writer.apply(Entries.toPhase(entry.uid(), situation.phase(), phase));
        }
        var report = watch.trouble(phase)
                .or(() -> problems.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Reports.blocked(phase, "ObjectsNotMovable", String.join("; ", problems))))
                .or(() -> watch.waiting()
                        .map(what -> Reports.going(phase, "MoverWaiting", "a mover waits: " + what, Reports.SOON)))
                .or(() -> SourceProgress.behind(watch.sources()).map(why -> fallsBehind(phase, why)))
                .orElseGet(() -> Reports.going(
                        phase,
                        phase.name(),
                        message(phase, watch),
                        phase instanceof Phase.Verified ? Reports.AT_ONCE : Reports.SOON));
        return Reports.with(report, watch.text(phase), watch.lag(), watch.sources());
    }

    private static WorkflowReport fallsBehind(Phase phase, String why) {
        return Reports.going(
                phase,
                "FallingBehind",
                "the targets do not catch up: " + why + "; nothing is lost, and it goes on by itself once they do",
                Reports.SOON);
    }

    /** Views, routines and the like, as soon as all tables are there: what can't be moved is found before much is copied. */
    private List<String> objects(Situation situation, Watch watch) throws SQLException {
        var entry = situation.entry();
        if (withObjects.contains(entry.uid()) || !watch.hasTables()) {
            return List.of();
        }
        var problems = ObjectMove.bring(ports.admins(), new Sides(entry.uid(), false), situation.topology(), entry);
        if (problems.isEmpty()) {
            withObjects.add(entry.uid());
        }
        return problems;
    }

    /** Makes sure that the streams from sources to targets run with the token in force. */
    void ensureForward(Situation situation, List<MoverSpec> specs) throws SQLException {
        var entry = situation.entry();
        if (!Long.valueOf(entry.token()).equals(tokens.get(entry.uid()))) {
            for (Member target : entry.targets()) {
                try (var admin = ports.admins().open(target.uid(), Streams.endpoint(target))) {
                    // An undone switchover may have left some, and this token lets movers write.
                    admin.dropTriggers();
                    admin.ensureToken(entry.uid(), entry.token());
                }
            }
            tokens.put(entry.uid(), entry.token());
        }
        var throttle = situation.request().settings().throttle();
        specs.stream().map(spec -> spec.with(throttle)).forEach(ports.movers()::start);
    }

    private static Phase reached(Phase present, Watch watch) {
        Phase reached = switch (watch.stage()) {
            case Starting, Copying, Failed -> new Phase.Copying();
            case CatchingUp -> new Phase.CatchingUp();
            case Verifying, Mismatched -> new Phase.Verifying();
            case Streaming -> new Phase.Verified();
        };
        // A mover that was started again passes through its stages once more; the phase does not go back.
        return present.leadsTo(reached) ? reached : present;
    }

    private static String message(Phase phase, Watch watch) {
        return switch (phase) {
            case Phase.Verified p -> "the targets are equal to the sources and are kept so";
            case Phase.Verifying p -> "comparing the targets with the sources";
            case Phase.CatchingUp p -> "applying the changes since the copy";
            case Phase other ->
                watch.silent()
                        ? "waiting for the movers to start"
                        : watch.preparing().orElse("copying rows to the targets");
        };
    }

    /** What the movers of some streams say together: the one that is least far counts. */
    record Watch(List<SourceProgress> sources, boolean silent) {

        static Watch of(Movers movers, List<MoverSpec> specs) {
            var all = new ArrayList<SourceProgress>();
            for (var spec : specs) {
                movers.progress(spec)
                        .ifPresent(progress ->
                                all.add(new SourceProgress(spec.source().range(), progress)));
            }
            return new Watch(all, all.size() < specs.size());
        }

        private List<MoverProgress> all() {
            return sources.stream().map(SourceProgress::progress).toList();
        }

        /** Whoever has stopped or found a difference holds up all. */
        Stage stage() {
            var stages = all().stream().map(MoverProgress::stage).toList();
            if (stages.contains(Stage.Failed)) {
                return Stage.Failed;
            }
            // Mismatched comes after Streaming in order, but never counts as being as far.
            var least = stages.stream().min(Comparator.naturalOrder()).orElse(Stage.Starting);
            boolean differs = least == Stage.Streaming && stages.contains(Stage.Mismatched);
            return silent ? Stage.Starting : differs ? Stage.Mismatched : least;
        }

        boolean hasTables() {
            return !silent && stage() != Stage.Starting && stage() != Stage.Failed;
        }

        @Nullable
        Duration lag() {
            if (silent || sources.isEmpty() || all().stream().anyMatch(progress -> progress.lagMillis() < 0)) {
                return null;
            }
            return Duration.ofMillis(
                    all().stream().mapToLong(MoverProgress::lagMillis).max().orElse(0));
        }

        /** What a mover waits for that should not take so long. */
        Optional<String> waiting() {
            return first(MoverProgress::waiting);
        }

        /** What a mover does before it copies. */
        Optional<String> preparing() {
            return first(MoverProgress::preparing);
        }

        private Optional<String> first(Function<MoverProgress, @Nullable String> words) {
            return all().stream().map(words).filter(Objects::nonNull).findFirst();
        }

        Optional<WorkflowReport> trouble(Phase phase) {
            for (var progress : all()) {
                if (progress.stage() == Stage.Failed) {
                    return Optional.of(
                            Reports.blocked(
                                    phase,
                                    "MoverFailed",
                                    "a mover has stopped: " + progress.failure()
                                            + "; the serving shards are untouched; if the cause can't be mended, cancel the workflow"));
                }
                if (progress.stage() == Stage.Mismatched) {
                    return Optional.of(Reports.blocked(phase, "Mismatch", mismatch(progress.mismatches())));
                }
            }
            return Optional.empty();
        }

        private static String mismatch(List<String> mismatches) {
            var shown = mismatches.stream().limit(MISMATCHES_SHOWN).toList();
            return "the targets differ from the sources, so they will not serve: " + String.join("; ", shown)
                    + (mismatches.size() > shown.size() ? " and " + (mismatches.size() - shown.size()) + " more" : "")
                    + "; find out who wrote to the targets, then cancel the workflow and begin anew";
        }

        String text(Phase phase) {
            long copied = all().stream().mapToLong(MoverProgress::rowsCopied).sum();
            return switch (phase) {
                case Phase.Copying p ->
                    "copying "
                            + percent(
                                    copied,
                                    all().stream()
                                            .mapToLong(MoverProgress::rowsEstimated)
                                            .sum());
                case Phase.CatchingUp p -> "catching up";
                case Phase.Verifying p ->
                    "verifying "
                            + percent(
                                    all().stream()
                                            .mapToLong(MoverProgress::rowsVerified)
                                            .sum(),
                                    copied);
                case Phase other -> "";
            };
        }

        /** Estimates may be too low, so it never says 100% before it is over. */
        private static String percent(long done, long whole) {
            return (whole <= 0 ? 0 : Math.min(99, done * 100 / whole)) + "%";
        }
    }
}
