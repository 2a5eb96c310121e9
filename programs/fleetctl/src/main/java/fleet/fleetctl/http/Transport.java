package fleet.fleetctl.http;

import java.io.Closeable;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * An open connection.
 *
 * @param channel closes it, from any thread
 */
public record Transport(InputStream in, OutputStream out, Closeable channel) {}
