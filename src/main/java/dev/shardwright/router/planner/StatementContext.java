package dev.shardwright.router.planner;

import dev.shardwright.router.planner.scan.SqlModes;
import org.jspecify.annotations.Nullable;

/**
 * What a statement's meaning depends on besides its text.
 *
 * @param database the session's current database, null when none is chosen
 * @param charset the character set of the statement's text (character_set_client), in lower case
 * @param prepared sent by COM_STMT_PREPARE: {@code ?} marks parameters
 */
public record StatementContext(@Nullable String database, String charset, SqlModes modes, boolean prepared) {}
