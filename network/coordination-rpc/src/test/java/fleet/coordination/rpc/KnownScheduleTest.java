package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.RecordingFollower;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.ScheduleMessages;
import fleet.rpc.v1.Known;
import fleet.rpc.v1.LeftAlone;
import fleet.rpc.v1.Schedule;
import org.junit.jupiter.api.Test;

/** The schedule that an agent is told of if it cannot read all of it. */
class KnownScheduleTest {

  private static final UnitName WEB = StreamTest.WEB;
  private static final UnitName DB = StreamTest.DB;

  private final RecordingFollower follower = new RecordingFollower();
  private final KnownSchedule schedule = new KnownSchedule(follower);

  @Test
  void whatWasUnscheduledWhileTheStreamWasDownIsLeftAloneNoMore() throws Exception {
    schedule.begin();
    take(unreadable(first(StreamTest.entry(DB, 11))));
    assertThat(follower.leftAlone()).containsExactly(WEB);

    schedule.begin();
    assertThat(schedule.known().stream().map(Known::getUnit)).containsExactly(DB.value());
    // The leader never heard that this one has it.
    take(first());

    assertThat(follower.leftAlone()).isEmpty();
    assertThat(follower.heard()).containsExactly("snapshot", "delta");
    assertThat(follower.entry(DB)).isPresent();
  }

  @Test
  void whatStillCannotBeReadOnTheNextStreamIsLeftAloneThroughout() throws Exception {
    schedule.begin();
    take(unreadable(first()));

    schedule.begin();
    take(unreadable(first()));
    take(entries(StreamTest.entry(DB, 11)));

    assertThat(follower.leftAlone()).containsExactly(WEB);
    assertThat(follower.heard()).containsExactly("snapshot", "delta");
  }

  @Test
  void whatCanBeReadAgainIsToldTogetherWithItsEntry() throws Exception {
    schedule.begin();
    take(unreadable(first()));

    take(entries(StreamTest.entry(WEB, 12)));

    assertThat(follower.heard()).containsExactly("snapshot", "delta");
    assertThat(follower.entry(WEB)).isPresent();
    assertThat(follower.leftAlone()).isEmpty();
  }

  private void take(Schedule.Builder message) throws MalformedMessageException {
    assertThat(schedule.take("s", message.build())).isPresent();
  }

  private static Schedule.Builder entries(ScheduleEntry... entries) {
    var part = new ScheduleMessages.Writer();
    for (ScheduleEntry entry : entries) {
      part.put(entry);
    }
    return part.message();
  }

  /** As a leader begins a stream. */
  private static Schedule.Builder first(ScheduleEntry... entries) {
    return entries(entries)
        .setMachine(MachineMessages.message(StreamTest.MACHINE))
        .setLeftAlone(LeftAlone.getDefaultInstance());
  }

  private static Schedule.Builder unreadable(Schedule.Builder message) {
    Schedule.Builder web = entries(StreamTest.entry(WEB, 10));
    return message
        .addFiles(web.getFiles(0))
        .addEntries(
            web.getEntriesBuilder(0).setFile(message.getFilesCount() - 1).setTarget("suspended"));
  }
}
