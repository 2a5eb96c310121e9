package fleet.engine;

/**
 * The result of a command.
 *
 * @param revision at which the registry holds what the command did
 */
record CommandResult<T>(T result, long revision) {}
