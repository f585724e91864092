/**
 * A disk that loses what was not forced. {@link io.talosgateway.powercut.PowerCutAgent} runs in a JVM under test and has
 * {@link io.talosgateway.powercut.Recorder} write down what the JVM does to its files; {@code CutDisk} makes of that record what
 * the disk could hold after a power cut.
 */
package io.talosgateway.powercut;
