package fleet.core.access;

import fleet.core.collection.OrderedCopy;
import java.util.Optional;
import java.util.Set;

/** Who makes a request, by what the connection proves. */
public sealed interface Subject {

  /**
   * A user of a machine that has the registry, as the kernel names the process at the other end of
   * a unix socket.
   *
   * @param name the number if it has no name
   * @param groups names, the primary one included
   * @param owner whether fleetd runs as this user, as it does for the units of a user
   */
  record User(String name, long uid, Set<String> groups, boolean owner) implements Subject {
    public User {
      groups = OrderedCopy.of(groups);
    }

    /** A user that fleetd does not run as. */
    public User(String name, long uid, Set<String> groups) {
      this(name, uid, groups, false);
    }

    @Override
    public String toString() {
      return "user " + name;
    }
  }

  /**
   * Somebody with a certificate.
   *
   * @param name the common name of its subject
   * @param vouched the role that the configuration gives everybody with a certificate of that
   *     authority
   */
  record Person(String name, Optional<AccessRole> vouched) implements Subject {
    @Override
    public String toString() {
      return "certificate CN=" + name;
    }
  }

  /**
   * A machine that has joined, and asks for a user of its own.
   *
   * @param id by its certificate
   * @param user as that machine says
   */
  record Joined(String id, String user) implements Subject {
    @Override
    public String toString() {
      return user.isEmpty() ? "machine " + id : user + " on " + id;
    }
  }

  /** Somebody at a plain TCP socket, which the configuration has opened to everybody there. */
  record Anybody(String address) implements Subject {
    @Override
    public String toString() {
      return address;
    }
  }

  /** A fleetd that asks by itself. */
  record Fleetd() implements Subject {
    @Override
    public String toString() {
      return "fleetd";
    }
  }
}
