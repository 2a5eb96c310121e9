package fleet.engine.state;

import fleet.core.schedule.ScheduleEntry;
import fleet.registry.records.ScheduleRecord;

/** A unit's entry in the schedule of a machine. */
public record ScheduledUnit(String machine, ScheduleRecord record, ScheduleEntry entry) {}
