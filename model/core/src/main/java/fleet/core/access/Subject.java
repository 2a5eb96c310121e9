package fleet.core.access;

import fleet.core.collection.OrderedCopy;
import java.util.Optional;
import java.util.Set;

/** The maker of a request, as the connection proves it. */
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
   * A holder of a certificate.
   *
   * @param name the common name of its subject
   * @param vouched the role that the configuration gives everybody with a certificate of that
   *     authority
   * @param key SHA-256 of the key that the certificate is for, if it is of the cluster's own
   *     authority; empty if {@code api_cafile} vouches for it
   */
  record Person(String name, Optional<AccessRole> vouched, String key) implements Subject {

    /** Somebody for whom {@code api_cafile} vouches. */
    public Person(String name, Optional<AccessRole> vouched) {
      this(name, vouched, "");
    }

    /** Somebody who has logged in. */
    public static Person loggedIn(String name, String key) {
      return new Person(name, Optional.empty(), key);
    }

    /** Whether the certificate is of the cluster's own authority. */
    public boolean isLoggedIn() {
      return !key.isEmpty();
    }

    @Override
    public String toString() {
      return isLoggedIn() ? "person " + name : "certificate CN=" + name;
    }
  }

  /** A client on the network without a certificate, which may only log in. */
  record Stranger(String address) implements Subject {
    @Override
    public String toString() {
      return address;
    }
  }

  /**
   * A joined machine, on behalf of a user of its own.
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
