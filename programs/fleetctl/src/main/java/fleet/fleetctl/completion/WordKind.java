package fleet.fleetctl.completion;

/** Things that a word of a command line may name. */
public enum WordKind {
  COMMAND,
  CONTEXT,
  DIRECTORY,
  FILE,
  MACHINE,
  OPERATION,
  /** A content that the unit before it has had. */
  REVISION,
  SETTING,
  UNIT
}
