package fleet.bench.scale;

import java.util.Locale;

/**
 * The units of a run: a thousand sets of requirements, ten texts for each, and each text for as
 * many units as it takes. Half of the sets ask for a place, which is a zone, a disk and a rack that
 * ten machines or more have; the others ask that no two units of the set share a machine.
 *
 * @param count how many units
 * @param machines how many hollow machines are to run them
 */
record ScaleUnits(int count, int machines) {

  static final int SETS = 1000;
  static final int TEXTS_PER_SET = 10;

  private static final int ZONES = 10;
  private static final int DISKS = 2;
  private static final int RACKS = 25;
  private static final int MACHINES_PER_PLACE = 10;
  private static final int PLACES = ZONES * DISKS * RACKS;

  String name(int number) {
    return "scale-%d-%d.service".formatted(set(number), number / SETS);
  }

  /** The unit, as a PUT of several carries it. */
  String json(int number) {
    int set = set(number);
    int text = number / SETS % TEXTS_PER_SET;
    return """
    {"name":"%s","desiredState":"launched","options":[\
    {"section":"Unit","name":"Description","value":"Scale, set %d, text %d"},\
    {"section":"Service","name":"ExecStart","value":"/usr/bin/scale --set=%d --text=%d"},\
    {"section":"Service","name":"Restart","value":"on-failure"},%s]}\
    """
        .formatted(name(number), set, text, set, text, requirements(set));
  }

  private static int set(int number) {
    return number % SETS;
  }

  private String requirements(int set) {
    if (set >= PLACES) {
      return option("MachineMetadata", "hollow=yes")
          + ","
          + option("Conflicts", "scale-%d-*".formatted(set));
    }
    int place = set % Math.clamp(machines / MACHINES_PER_PLACE, 1, PLACES);
    return "%s,%s,%s,%s"
        .formatted(
            option("MachineMetadata", "zone=z" + place % ZONES),
            option("MachineMetadata", "disk=" + (place / ZONES % DISKS == 0 ? "ssd" : "hdd")),
            option("MachineMetadata", "rack=r" + place / (ZONES * DISKS) % RACKS),
            option("Conflicts", "other-%d-*".formatted(set)));
  }

  private static String option(String name, String value) {
    return String.format(
        Locale.ROOT, "{\"section\":\"X-Fleet\",\"name\":\"%s\",\"value\":\"%s\"}", name, value);
  }
}
