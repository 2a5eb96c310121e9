package fleet.fleetctl.command;

import fleet.core.unit.UnitName;
import fleet.fleetctl.unit.UnitArgument;
import java.util.ArrayList;
import java.util.List;

/** Templates can be submitted; only their instances run. */
final class Templates {

  private Templates() {}

  /** Refuses templates before anything is done. */
  static void refuse(List<UnitArgument> arguments, String failure) throws CommandException {
    for (UnitArgument argument : arguments) {
      if (isTemplate(argument.name())) {
        throw CommandException.failed(
            failure
                + ("cannot activate template \""
                    + argument.name()
                    + "\": name an instance, such as ")
                + argument.name().replaceFirst("@\\.", "@1."));
      }
    }
  }

  /** Takes out those that nobody named: they were in a directory or a stream, beside others. */
  static List<UnitArgument> takeFrom(List<UnitArgument> arguments) {
    List<UnitArgument> taken = new ArrayList<>();
    arguments.removeIf(one -> one.isCollected() && isTemplate(one.name()) && taken.add(one));
    return taken;
  }

  private static boolean isTemplate(String name) {
    return UnitName.parse(name).filter(UnitName::isTemplate).isPresent();
  }
}
