package fleet.api.listen;

import java.io.IOException;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import jdk.net.ExtendedSocketOptions;

/**
 * The process at the other end of a unix socket, as the kernel knew it when it connected. The JDK
 * gives neither its user's number nor all of its groups, so this reaches into the JDK as {@link
 * PassedSocket} does.
 *
 * @param user its name, or its number if it has no name
 * @param groups names, or numbers of those without one
 */
public record PeerCredentials(String user, long uid, Set<String> groups) {

  public PeerCredentials {
    groups = Set.copyOf(groups);
  }

  /**
   * Asks the kernel.
   *
   * @throws IOException if that is not possible: the caller is then unknown
   */
  public static PeerCredentials of(SocketChannel channel) throws IOException {
    int descriptor = descriptor(channel);
    int[] ids = SocketOptions.peer(descriptor);
    Set<Integer> numbers = new TreeSet<>(Set.of(ids[SocketOptions.GROUP]));
    for (int group : SocketOptions.peerGroups(descriptor)) {
      numbers.add(group);
    }
    return new PeerCredentials(
        channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName(),
        Integer.toUnsignedLong(ids[SocketOptions.USER]),
        numbers.stream().map(GroupNames::of).collect(Collectors.toSet()));
  }

  /** Whether this process runs as the same user. */
  public boolean isOwn() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer own
          && Integer.toUnsignedLong(own) == uid;
    } catch (IOException e) {
      return false;
    }
  }

  private static int descriptor(SocketChannel channel) throws IOException {
    try {
      Method number = Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal");
      number.setAccessible(true);
      return (int) number.invoke(channel);
    } catch (InaccessibleObjectException e) {
      throw new IOException(
          "java was started without --add-opens java.base/sun.nio.ch=ALL-UNNAMED", e);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this Java does not tell the number of a socket: " + e, e);
    }
  }
}
