package dev.shardwright.router.executor;

import dev.shardwright.router.planner.Residue;
import dev.shardwright.router.planner.SessionUse;
import dev.shardwright.router.session.ClientSession;

/**
 * What a statement has to do with the connection that it runs on.
 *
 * @param residue what it leaves there that can't be put on another one
 * @param insertId it reads or sets LAST_INSERT_ID()
 * @param fresh it must find nothing there that another session left
 */
record Effects(Residue residue, boolean insertId, boolean fresh) {
    static final Effects NONE = new Effects(Residue.Plain.NOTHING, false, false);
    /** It may do anything. */
    static final Effects UNKNOWN = new Effects(Residue.Plain.ANYTHING, true, false);

    /** Of a statement of this session. */
    static Effects of(SessionUse use, ClientSession session) {
        if (use == SessionUse.NONE) {
            return NONE;
        }
        boolean unknownVariable = use.userVariables().stream()
                .anyMatch(name -> !session.variables().has(name));
        boolean asksFirst = use.lastStatement() && session.last() == null;
        var residue = unknownVariable ? Residue.Plain.ANYTHING : use.residue();
        return new Effects(residue, use.insertId(), unknownVariable || asksFirst);
    }
}
