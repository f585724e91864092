/**
 * Journal files on a Hadoop file system: {@code hdfs://}, and {@code file://} for one host on a local disk. Entry type
 * {@link io.talosgateway.rest.journal.hdfs.HadoopJournalStorage}. The only user of Hadoop's classes.
 *
 * <p>A thread renews the ticket if there is Kerberos. The HDFS client has its own threads.
 */
@NullMarked
package io.talosgateway.rest.journal.hdfs;

import org.jspecify.annotations.NullMarked;
