package fleet.engine.decide;

import fleet.engine.decide.RolloutUnit.Condition;

/**
 * A present machine in the rollout of a global unit.
 *
 * @param id of the machine
 * @param isNew whether it is to have the new content by now
 * @param condition of the content that it is to have
 * @param proven whether it has done well with the new content for long enough
 */
public record RolloutMachine(String id, boolean isNew, Condition condition, boolean proven) {}
