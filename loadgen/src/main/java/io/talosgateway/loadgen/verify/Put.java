package io.talosgateway.loadgen.verify;

/** Which put: its writer and number, where it goes to, and how many messages it has. */
record Put(int writer, int number, int partition, int count) {}
