package fleet.relay;

import fleet.core.access.AccessRole;
import fleet.core.access.Subject;
import fleet.core.collection.OrderedCopy;
import fleet.rpc.v1.Asker;
import fleet.rpc.v1.PassedRequest;

/** Subjects as messages. */
final class SubjectMessages {

  private SubjectMessages() {}

  static Asker message(Subject subject) {
    Asker.Builder asker = Asker.newBuilder();
    return switch (subject) {
      case Subject.User user ->
          asker
              .setUser(
                  Asker.LocalUser.newBuilder()
                      .setName(user.name())
                      .setUid(user.uid())
                      .addAllGroups(user.groups())
                      .setOwner(user.owner()))
              .build();
      case Subject.Person person ->
          asker
              .setPerson(
                  Asker.Person.newBuilder()
                      .setName(person.name())
                      .setRole(person.vouched().map(AccessRole::text).orElse(""))
                      .setKey(person.key()))
              .build();
      case Subject.Anybody anybody -> asker.setAddress(anybody.address()).build();
      case Subject.Fleetd _ -> asker.setFleetd(Asker.Fleetd.getDefaultInstance()).build();
      // No fleetd relays a relayed request.
      case Subject.Joined machine -> asker.setAddress(machine.id()).build();
      // Refused at the first fleetd: the leader would treat an address as one that may do
      // everything.
      case Subject.Stranger stranger ->
          throw new IllegalArgumentException("a stranger asks: " + stranger.address());
    };
  }

  /**
   * The subject that a server names. An earlier version names none, and admitted only subjects with
   * all rights.
   */
  static Subject subject(PassedRequest passed) {
    Asker asker = passed.getAsker();
    return switch (asker.getWhoCase()) {
      case USER ->
          new Subject.User(
              asker.getUser().getName(),
              asker.getUser().getUid(),
              OrderedCopy.of(asker.getUser().getGroupsList()),
              asker.getUser().getOwner());
      case PERSON ->
          new Subject.Person(
              asker.getPerson().getName(),
              AccessRole.ofText(asker.getPerson().getRole()),
              asker.getPerson().getKey());
      case ADDRESS -> new Subject.Anybody(asker.getAddress());
      case FLEETD -> new Subject.Fleetd();
      case WHO_NOT_SET -> new Subject.Anybody(passed.getCaller());
    };
  }
}
