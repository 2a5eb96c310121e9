package fleet.systemd.dbus;

import java.io.IOException;

/** Reads the body of an answer. Runs on the reading thread, in the order of arrival. */
@FunctionalInterface
interface Decoder<T> {

  T decode(Unmarshaller body) throws IOException;
}
