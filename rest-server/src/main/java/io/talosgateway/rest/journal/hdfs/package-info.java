/**
 * Journal files on HDFS. Entry type
 * {@link io.talosgateway.rest.journal.hdfs.HdfsJournalStorage}. The only user of Hadoop's classes.
 *
 * <p>A thread renews the ticket if there is Kerberos. The HDFS client has its own threads.
 */
@NullMarked
package io.talosgateway.rest.journal.hdfs;

import org.jspecify.annotations.NullMarked;
