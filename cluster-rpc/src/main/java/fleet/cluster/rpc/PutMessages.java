package fleet.cluster.rpc;

import fleet.cluster.UnitPut;
import fleet.core.unit.UnitFile;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Units that are to be created, replaced or changed, as messages. */
final class PutMessages {

  private PutMessages() {}

  static Command.Puts message(List<UnitPut> puts) {
    Command.Puts.Builder message = Command.Puts.newBuilder();
    puts.forEach(put -> message.addPuts(message(put)));
    return message.build();
  }

  private static Command.Put message(UnitPut put) {
    Command.Put.Builder message =
        Command.Put.newBuilder().setUnit(put.name().value()).addAllRequire(put.require());
    put.file().ifPresent(content -> message.setFile(content.render()));
    put.desired().ifPresent(state -> message.setDesired(state.text()));
    return message.build();
  }

  /** Instances of one template share its file. */
  static List<UnitPut> puts(Command.Puts message) throws MalformedMessageException {
    List<UnitPut> puts = new ArrayList<>();
    UnitFiles.Received files = new UnitFiles.Received();
    for (Command.Put put : message.getPutsList()) {
      Optional<UnitFile> file = Optional.empty();
      if (put.hasFile()) {
        file = Optional.of(files.add(put.getFile()));
      }
      puts.add(
          new UnitPut(
              UnitNames.of(put.getUnit()),
              file,
              put.hasDesired()
                  ? Optional.of(ViewMessages.desired(put.getDesired()))
                  : Optional.empty(),
              put.getRequireList()));
    }
    return puts;
  }
}
