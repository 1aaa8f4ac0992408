package dev.shardwright.app;

import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Says what went wrong in one line. The stack trace is for developers, who set SHARDWRIGHT_DEBUG. */
final class FriendlyErrors implements IExecutionExceptionHandler {
    static final String DEBUG = "SHARDWRIGHT_DEBUG";

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult arguments) {
        command.getErr().println(command.getColorScheme().errorText("error: " + describe(failure)));
        if (System.getenv(DEBUG) != null) {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** The message where it was written for people; else the class as well, and how to learn more. */
    static String describe(Throwable failure) {
        var cause = unwrap(failure);
        String message = cause.getMessage();
        if (message == null || message.isBlank() || cause instanceof NullPointerException) {
            return "unexpected " + cause.getClass().getName() + (message == null ? "" : ": " + message) + " (set "
                    + DEBUG + "=1 and run it again for the stack trace)";
        }
        return cause instanceof java.io.IOException ? readable((java.io.IOException) cause) : message;
    }

    private static String readable(java.io.IOException failure) {
        return switch (failure) {
            case java.nio.file.NoSuchFileException missing -> missing.getMessage() + ": there is no such file";
            case java.nio.file.AccessDeniedException denied -> denied.getMessage() + ": access denied";
            default -> String.valueOf(failure.getMessage());
        };
    }

    private static Throwable unwrap(Throwable failure) {
        var cause = failure;
        while ((cause instanceof CompletionException
                        || cause instanceof ExecutionException
                        || cause instanceof UncheckedIOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
