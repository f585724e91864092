package io.talosgateway.loadgen;

import java.io.PrintWriter;
import java.io.StringWriter;

import picocli.CommandLine;

/** What came of {@code talos-loadgen} with some arguments, in this process. */
public record CommandResult(int status, String out, String err) {

    public static CommandResult of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Loadgen.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        int status = command.execute(arguments);
        return new CommandResult(status, out.toString(), err.toString());
    }
}
