package fleet.fleetd.config;

import fleet.core.machine.Amount;
import fleet.core.machine.AmountReader;
import fleet.core.machine.Reservation;
import java.util.Optional;
import java.util.function.Function;

/** Reads what this machine has for units, and what it keeps for itself. */
final class ResourcesSection {

  /** The needs of an ordinary system beside its units. */
  private static final Amount USUALLY_KEPT = new Amount(0, Amount.WHOLE / 20);

  private static final String CORES = "2 or 0.5";
  private static final String BYTES = "512M or 8G";
  private static final String TASKS = "1000";

  private final Settings settings;

  ResourcesSection(Settings settings) {
    this.settings = settings;
  }

  Configuration.Resources read() throws ConfigurationException {
    return new Configuration.Resources(
        new Reservation(
            declared(Option.MACHINE_CORES, CORES, AmountReader::cores),
            declared(Option.MACHINE_MEMORY, BYTES, AmountReader::bytes),
            declared(Option.MACHINE_DISK, BYTES, AmountReader::bytes),
            declared(Option.MACHINE_TASKS, TASKS, AmountReader::tasks)),
        new Reservation(
            kept(Option.KEEP_CORES, CORES, AmountReader::cores, Amount.NOTHING),
            kept(Option.KEEP_MEMORY, BYTES, AmountReader::bytes, USUALLY_KEPT),
            kept(Option.KEEP_DISK, BYTES, AmountReader::bytes, USUALLY_KEPT),
            kept(Option.KEEP_TASKS, TASKS, AmountReader::tasks, USUALLY_KEPT)));
  }

  private Amount declared(Option option, String examples, Function<String, Optional<Amount>> reader)
      throws ConfigurationException {
    return settings.get(option, ValueType.amount(examples, reader), Amount.NOTHING);
  }

  private Amount kept(
      Option option, String examples, Function<String, Optional<Amount>> reader, Amount otherwise)
      throws ConfigurationException {
    return settings.get(option, ValueType.keptAmount(examples, reader), otherwise);
  }
}
