package dev.shardwright.mysql.server;

import java.util.Optional;

/** One line of a my.cnf. */
public record Setting(String name, String value) {

    /** Why a user may not set this, and what to do; empty if it is fine. */
    public Optional<String> problem() {
        return SettingRules.problem(name, value);
    }

    @Override
    public String toString() {
        return name + " = " + value;
    }
}
