package io.talosgateway.rest.journal.hdfs;

import java.nio.file.Path;

/**
 * Whom the gateway logs in to Kerberos as.
 *
 * @param principal such as {@code talos/_HOST@EXAMPLE.COM}; {@code _HOST} stands for the name of this host
 * @param keytab the file with the principal's key
 */
public record KerberosConfig(String principal, Path keytab) {}
