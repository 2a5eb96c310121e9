package fleet.core.requirements;

import java.util.List;

/** Rules that requirements must keep: fleet 1.0's in its order and words, then our own. */
final class RequirementsRules {

  private final Requirements asked;
  private final List<String> metadataEntries;
  private final List<String> globalValues;

  RequirementsRules(Requirements asked, List<String> metadataEntries, List<String> globalValues) {
    this.asked = asked;
    this.metadataEntries = metadataEntries;
    this.globalValues = globalValues;
  }

  /** Whether this is {@code key=value} with something on both sides. */
  static boolean isMetadata(String entry) {
    int equals = entry.indexOf('=');
    return equals > 0 && equals == entry.lastIndexOf('=') && equals < entry.length() - 1;
  }

  void check() throws InvalidRequirementsException {
    checkPeers(asked.conflicts(), "conflict");
    checkPeers(asked.replaces(), "replace");
    checkExclusions();
    checkGlobs(asked.conflicts(), "Conflicts");
    checkGlobs(asked.replaces(), "Replaces");
    checkMetadata();
    checkGlobal();
  }

  private void checkPeers(List<Glob> globs, String kind) throws InvalidRequirementsException {
    for (String peer : asked.machineOf()) {
      for (Glob glob : globs) {
        if (glob.matches(peer)) {
          throw new InvalidRequirementsException(
              "unresolvable requirements: peer \"%s\" matches %s \"%s\""
                  .formatted(peer, kind, glob));
        }
      }
    }
  }

  private void checkExclusions() throws InvalidRequirementsException {
    boolean machineId = asked.machineId().isPresent();
    boolean peers = !asked.machineOf().isEmpty();
    boolean conflicts = !asked.conflicts().isEmpty();
    boolean replaces = !asked.replaces().isEmpty();
    exclude(machineId, "MachineID", peers, "Peers");
    exclude(machineId, "MachineID", conflicts, "Conflicts");
    exclude(machineId, "MachineID", asked.global(), "Global");
    exclude(machineId, "MachineID", replaces, "Replaces");
    exclude(asked.global(), "Global", peers, "Peers");
    exclude(asked.global(), "Global", replaces, "Replaces");
    exclude(conflicts, "Conflicts", replaces, "Replaces");
  }

  private static void exclude(boolean one, String nameOfOne, boolean other, String nameOfOther)
      throws InvalidRequirementsException {
    if (one && other) {
      throw new InvalidRequirementsException(nameOfOne + " cannot be used with " + nameOfOther);
    }
  }

  private static void checkGlobs(List<Glob> globs, String key) throws InvalidRequirementsException {
    for (Glob glob : globs) {
      if (!glob.isWellFormed()) {
        throw new InvalidRequirementsException(
            "%s pattern \"%s\" is malformed and would match nothing: %s"
                .formatted(key, glob, Glob.REMEDY));
      }
    }
  }

  private void checkMetadata() throws InvalidRequirementsException {
    for (String entry : metadataEntries) {
      if (!isMetadata(entry)) {
        throw new InvalidRequirementsException(
            "MachineMetadata \"%s\" is not key=value with one \"=\": several on a line are written \"a=b\" \"c=d\", each in its quotes"
                .formatted(entry));
      }
    }
  }

  private void checkGlobal() throws InvalidRequirementsException {
    for (String value : globalValues) {
      if (!Requirements.isTruth(value)) {
        throw new InvalidRequirementsException(
            "Global \"%s\" is neither true nor false: write Global=true or Global=false"
                .formatted(value));
      }
    }
  }
}
