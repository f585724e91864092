package io.talosgateway.loadgen.experiment;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;

import io.talosgateway.loadgen.cli.Progress;

/**
 * Where and with what an experiment is done.
 *
 * @param only the variants that are wanted; empty for all
 * @param work a folder on the disk that is loaded; emptied after each trial, deleted by whoever made it
 * @param out where the results go; made with the first of them
 * @param text takes the tables
 */
record TrialEnvironment(
        TrialSettings settings,
        Set<String> only,
        Programs programs,
        Path work,
        Path out,
        Progress progress,
        PrintWriter text) {

    boolean wants(String variant) {
        return only.isEmpty() || only.contains(variant);
    }
}
