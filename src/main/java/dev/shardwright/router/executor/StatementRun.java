package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.executor.RouterMetrics.Kind;
import dev.shardwright.router.planner.Plan;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.planner.SessionStatement;
import dev.shardwright.router.planner.StatementContext;
import dev.shardwright.router.planner.StatementPlanner;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A statement on its way: plan, route, and then the run on one shard or several. */
class StatementRun extends RoutedRun {
    /** Length of a text that is looked at on a thread of its own, in bytes. */
    private static final int LONG = 1 << 17;

    private Subject subject;
    private @Nullable Planned planned;
    private @Nullable StatementPlanner plannedBy;
    private @Nullable MultiShardRun several;

    StatementRun(SessionRunner runner, Subject subject) {
        super(runner);
        this.subject = subject;
    }

    @Override
    final void attempt(TopologyView view) {
        several = null;
        if (planned != null && plannedBy == view.planner()) {
            go(view, planned);
        } else {
            plan(view);
        }
    }

    private void plan(TopologyView view) {
        var context = runner.session().context(subject.prepared());
        // To look at a long text would hold up the other clients of this loop.
        var cached = isLong() ? null : view.planner().cached(subject.sql(), context);
        if (cached != null) {
            var foreseen = runner.loop().isAboutToChange() ? view.foreseen() : null;
            if (foreseen != null) {
                foreseen.plan(subject.sql(), context, runner.loop().planners());
            }
            use(view, cached);
            return;
        }
        try {
            runner.loop().planners().execute(() -> {
                var made = planOrRefuse(view.planner(), context);
                runner.loop().eventLoop().execute(() -> runner.guarded(() -> planned(view, made)));
            });
        } catch (RejectedExecutionException e) {
            runner.error(ErrorCatalogue.overloaded());
        }
    }

    private boolean isLong() {
        return subject.sql().length > LONG;
    }

    private @Nullable Planned planOrRefuse(StatementPlanner planner, StatementContext context) {
        try {
            var cached = isLong() ? planner.cached(subject.sql(), context) : null;
            return cached == null ? planner.plan(subject.sql(), context) : cached;
        } catch (RuntimeException | Error e) {
            // An Error too: the client must have its answer when memory runs out.
            org.slf4j.LoggerFactory.getLogger(StatementRun.class).error("a statement can't be planned", e);
            return null;
        }
    }

    private void planned(TopologyView view, @Nullable Planned made) {
        if (runner.isGone()) {
            return;
        }
        if (made == null) {
            runner.error(ErrorCatalogue.notSupported("the statement can't be planned; this is a defect of the router"));
            return;
        }
        planned = made;
        plannedBy = view.planner();
        attempt();
    }

    private void use(TopologyView view, Planned made) {
        planned = made;
        plannedBy = view.planner();
        go(view, made);
    }

    /** What is run; not what the client has sent where that asks for the connection's id. */
    final Subject subject() {
        return subject;
    }

    private void go(TopologyView view, Planned made) {
        if (!made.connectionIds().isEmpty()) {
            int id = runner.session().client().connectionId();
            subject = subject.withText(made.connectionIds().in(subject.sql(), id));
            planned = null;
            attempt();
            return;
        }
        var loss = runner.session().transaction().takeLoss();
        var untold = made.use().lastStatement() && !asksForRowsOfGone()
                ? runner.session().untold()
                : null;
        var vain = untold == null ? asksInVain(made) : null;
        if (loss != null && !endsTransaction(made.plan())) {
            runner.error(loss);
        } else if (vain != null) {
            runner.error(vain);
        } else if (untold != null) {
            TellingOwnAnswer.start(this, subject, anyShard(view), untold);
        } else {
            proceed(view, made);
        }
    }

    /** FOUND_ROWS() is about the last SELECT, whatever the router has answered since. */
    private boolean asksForRowsOfGone() {
        return runner.session().last() == null
                && new String(subject.sql(), StandardCharsets.ISO_8859_1)
                        .toUpperCase(Locale.ROOT)
                        .contains("FOUND_ROWS");
    }

    private static boolean endsTransaction(Plan plan) {
        return plan instanceof Plan.Session session && session.statement() instanceof SessionStatement.Rollback;
    }

    private Effects effects(Planned made) {
        return Effects.of(made.use(), runner.session());
    }

    /** Why the server could not answer what the statement asks about earlier ones; null when it can. */
    private @Nullable ErrPacket asksInVain(Planned made) {
        var session = runner.session();
        if (!made.use().lastStatement()) {
            return null;
        }
        if (session.last() == null && session.lastIsGone()) {
            return ErrorCatalogue.lastStatementGone();
        }
        // Bringing the id there would take the place of the last statement.
        return made.use().insertId() && !session.insertId().isKnownBy(session.last())
                ? ErrorCatalogue.insertIdElsewhere()
                : null;
    }

    /** What is done with a plan; preparing differs from running. */
    void proceed(TopologyView view, Planned made) {
        Route route;
        try {
            route = view.route(made, runner.session().context(subject.prepared()), subject.parameters());
        } catch (dev.shardwright.mysql.wire.MalformedPacketException e) {
            runner.error(ErrorCatalogue.wrongArguments("mysqld_stmt_execute"));
            return;
        }
        switch (route) {
            case Route.One one ->
                one(view, view.shards().get(one.shard()), subject, access(made.plan()), true, effects(made));
            case Route.Any _ -> {
                var access = access(made.plan());
                // Outside of a transaction it would not use up what SET TRANSACTION said.
                one(view, anyShard(view), subject, access, access != Access.READ && inTransaction(), effects(made));
            }
            case Route.Several many -> several(view, many, made);
            case Route.Each each -> ddl(view, each, effects(made));
            case Route.InSession session
            when subject.wantsCursor() && answersItself(session.statement()) ->
                runner.error(ErrorCatalogue.wrongArguments("with cursor"));
            case Route.InSession session -> {
                runner.loop().metrics().statements(Kind.SESSION).increment();
                new SessionStatements(this, subject, view, made.use()).run(session.statement());
            }
            case Route.Refused refused -> {
                runner.loop().metrics().statements(Kind.REFUSED).increment();
                runner.error(new ErrPacket(refused.errno(), refused.sqlState(), refused.message()));
            }
        }
    }

    /** Whether no server answers it, among those that can be prepared. */
    private static boolean answersItself(SessionStatement statement) {
        return statement instanceof SessionStatement.Commit
                || statement instanceof SessionStatement.Rollback
                || statement instanceof SessionStatement.Kill
                || statement instanceof SessionStatement.SetNextTransaction;
    }

    static Access access(Plan plan) {
        return switch (plan) {
            case Plan.PassThrough pass -> pass.access();
            case Plan.FirstShard first -> first.access();
            case Plan.AnyShard any -> any.access();
            case Plan.Keyed keyed -> keyed.access();
            case Plan.Scatter _, Plan.Session _, Plan.Refused _ -> Access.READ;
            case Plan.Ddl _ -> Access.WRITE;
        };
    }

    private void several(TopologyView view, Route.Several many, Planned made) {
        var shards = many.shards().stream().map(view.shards()::get).toList();
        if (inTransaction()) {
            runner.error(ErrorCatalogue.scatterInTransaction(shards.size()));
        } else if (heldBy(view, shards)) {
            return;
        } else {
            runner.loop().metrics().statements(Kind.MERGED).increment();
            several = MergeRun.start(this, subject, shards, many, made);
        }
    }

    private void ddl(TopologyView view, Route.Each each, Effects effects) {
        var workflow = view.anyWorkflow();
        var shards = each.shards().stream().map(view.shards()::get).toList();
        if (workflow != null) {
            runner.error(ErrorCatalogue.ddlDuringWorkflow(workflow));
        } else if (subject.prepared() && shards.size() > 1) {
            // Prepared while the keyspace had one shard.
            runner.error(ErrorCatalogue.notPreparable());
        } else if (!heldBy(view, shards)) {
            startDdl(view, shards, effects);
        }
    }

    /** DDL commits implicitly; the topology may have changed when that is done. */
    private void startDdl(TopologyView view, List<ShardEntry> shards, Effects effects) {
        if (runner.session().transaction().isOpen()) {
            commit(this::attempt);
        } else if (shards.size() == 1) {
            one(view, shards.getFirst(), DropDatabase.of(runner, subject), Access.WRITE, false, effects);
        } else {
            runner.loop().metrics().statements(Kind.DDL).increment();
            several = DdlRun.start(this, subject, shards);
        }
    }

    private boolean inTransaction() {
        var transaction = runner.session().transaction();
        return transaction.isOpen() || !transaction.autocommit();
    }

    private boolean heldBy(TopologyView view, List<ShardEntry> shards) {
        for (var shard : shards) {
            if (shard.state() != ShardState.Serving) {
                holdFor(shard, view);
                return true;
            }
        }
        return false;
    }

    /** DDL that has reached some shards and not others would have to be repaired by hand. */
    @Override
    boolean mayTimeOut() {
        return super.mayTimeOut() && !(several instanceof DdlRun);
    }

    @Override
    final void finished() {
        subject.finished();
    }

    @Override
    final void clientReadsAgain() {
        if (several != null) {
            several.clientReadsAgain();
        }
    }
}
