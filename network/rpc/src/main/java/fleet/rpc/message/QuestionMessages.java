package fleet.rpc.message;

import fleet.core.question.JournalFilter;
import fleet.core.question.KillSignal;
import fleet.core.question.Question;
import fleet.core.question.UnitVerb;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Questions to machines, as messages. */
public final class QuestionMessages {

  private QuestionMessages() {}

  public static fleet.rpc.v1.Question message(Question question) {
    fleet.rpc.v1.Question.Builder message = fleet.rpc.v1.Question.newBuilder();
    switch (question) {
      case Question.Status status ->
          message.setStatus(
              fleet.rpc.v1.Question.Status.newBuilder()
                  .setUnit(status.unit().value())
                  .setColour(status.colour()));
      case Question.Journal journal ->
          message.setJournal(
              fleet.rpc.v1.Question.Journal.newBuilder()
                  .setUnit(journal.unit().value())
                  .setLines(journal.lines())
                  .setFollow(journal.follow())
                  .setOutput(journal.output()));
      case Question.JournalEntries entries -> message.setJournalEntries(entries(entries));
      case Question.FilteredEntries filtered -> message.setFilteredEntries(filtered(filtered));
      case Question.Audit audit ->
          message.setAudit(
              fleet.rpc.v1.Question.Audit.newBuilder()
                  .setEntries(entries(audit.entries()))
                  .setSubject(audit.subject())
                  .setTarget(audit.target()));
      case Question.Usage usage ->
          message.setUsage(
              fleet.rpc.v1.Question.Usage.newBuilder()
                  .setUnits(usage.units())
                  .setIntervalMillis(usage.interval().toMillis())
                  .setSamples(usage.samples()));
      case Question.Systemctl call -> message.setOrder(systemctl(call));
      case Question.Exec exec -> message.setExec(ExecMessages.message(exec));
      case Question.ExecInput input -> message.setExecInput(ExecMessages.message(input));
      case Question.ExecWindow resized -> message.setExecWindow(ExecMessages.message(resized));
    }
    return message.build();
  }

  private static fleet.rpc.v1.Question.FilteredEntries filtered(Question.FilteredEntries filtered) {
    JournalFilter filter = filtered.filter();
    fleet.rpc.v1.Question.FilteredEntries.Builder message =
        fleet.rpc.v1.Question.FilteredEntries.newBuilder()
            .setEntries(entries(filtered.entries()))
            .setPriority(filter.priority())
            .setGrep(filter.grep())
            .setBoot(filter.boot());
    filter
        .until()
        .ifPresent(until ->
            message.setUntilSeconds(until.getEpochSecond()).setUntilNanos(until.getNano()));
    return message.build();
  }

  private static fleet.rpc.v1.Question.Order systemctl(Question.Systemctl call) {
    fleet.rpc.v1.Question.Order.Builder message =
        fleet.rpc.v1.Question.Order.newBuilder()
            .setUnit(call.unit().value())
            .setVerb(call.verb().text());
    call.signal().ifPresent(kill -> message.setSignal(kill.signal()).setWhom(kill.whom()));
    return message.build();
  }

  private static fleet.rpc.v1.Question.JournalEntries entries(Question.JournalEntries entries) {
    fleet.rpc.v1.Question.JournalEntries.Builder message =
        fleet.rpc.v1.Question.JournalEntries.newBuilder()
            .setLines(entries.lines())
            .setAfter(entries.after())
            .setFollow(entries.follow())
            .setWhole(entries.whole());
    entries.units().forEach(unit -> message.addUnits(unit.value()));
    entries
        .since()
        .ifPresent(since ->
            message.setSinceSeconds(since.getEpochSecond()).setSinceNanos(since.getNano()));
    return message.build();
  }

  /**
   * The question in a message.
   *
   * @throws MalformedMessageException if it is nothing that this version can answer
   */
  public static Question question(fleet.rpc.v1.Question message) throws MalformedMessageException {
    try {
      return read(message);
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Question read(fleet.rpc.v1.Question message) throws MalformedMessageException {
    return switch (message.getAboutCase()) {
      case STATUS ->
          new Question.Status(
              UnitNames.of(message.getStatus().getUnit()), message.getStatus().getColour());
      case JOURNAL ->
          new Question.Journal(
              UnitNames.of(message.getJournal().getUnit()),
              message.getJournal().getLines(),
              message.getJournal().getFollow(),
              message.getJournal().getOutput());
      case JOURNAL_ENTRIES -> entries(message.getJournalEntries());
      case FILTERED_ENTRIES -> filtered(message.getFilteredEntries());
      case AUDIT ->
          new Question.Audit(
              entries(message.getAudit().getEntries()),
              message.getAudit().getSubject(),
              message.getAudit().getTarget());
      case USAGE ->
          new Question.Usage(
              message.getUsage().getUnits(),
              Duration.ofMillis(message.getUsage().getIntervalMillis()),
              message.getUsage().getSamples());
      case ORDER -> systemctl(message.getOrder());
      case EXEC -> ExecMessages.exec(message.getExec());
      case EXEC_INPUT -> ExecMessages.input(message.getExecInput());
      case EXEC_WINDOW -> ExecMessages.window(message.getExecWindow());
      case ABOUT_NOT_SET ->
          throw new MalformedMessageException(
              "a question that fleetd of this machine is too old to answer: upgrade it");
    };
  }

  private static Question filtered(fleet.rpc.v1.Question.FilteredEntries message)
      throws MalformedMessageException {
    return new Question.FilteredEntries(
        entries(message.getEntries()),
        new JournalFilter(
            message.getPriority(),
            message.getGrep(),
            message.hasUntilSeconds()
                ? Optional.of(Times.of(message.getUntilSeconds(), message.getUntilNanos()))
                : Optional.empty(),
            message.getBoot()));
  }

  private static Question.Systemctl systemctl(fleet.rpc.v1.Question.Order message)
      throws MalformedMessageException {
    UnitVerb verb =
        UnitVerb.ofText(message.getVerb())
            .orElseThrow(() ->
                new MalformedMessageException(
                    "fleetd of this machine is too old to " + message.getVerb() + ": upgrade it"));
    return new Question.Systemctl(
        UnitNames.of(message.getUnit()),
        verb,
        message.getSignal().isEmpty()
            ? Optional.empty()
            : Optional.of(new KillSignal(message.getSignal(), message.getWhom())));
  }

  private static Question.JournalEntries entries(fleet.rpc.v1.Question.JournalEntries message)
      throws MalformedMessageException {
    List<UnitName> units = new ArrayList<>();
    for (String unit : message.getUnitsList()) {
      units.add(UnitNames.of(unit));
    }
    return new Question.JournalEntries(
        units,
        message.getLines(),
        message.hasSinceSeconds()
            ? Optional.of(Times.of(message.getSinceSeconds(), message.getSinceNanos()))
            : Optional.empty(),
        message.getAfter(),
        message.getFollow(),
        message.getWhole());
  }
}
