package fleet.agent.answer;

import fleet.agent.bid.Bidder;
import fleet.agent.exec.ExecSessions;
import fleet.agent.usage.UsageMeter;
import fleet.coordination.AnswerSender;
import fleet.coordination.Answerer;
import fleet.coordination.PendingBid;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.JournalFilter;
import fleet.core.question.Question;
import fleet.core.question.UnitVerb;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Answers from systemd, its journal and the kernel of this machine. */
public final class MachineAnswerer implements Answerer {

  private final boolean userManager;
  private final UsageMeter.Place place;
  private final Bidder bidder;
  private final ExecSessions commands;

  /**
   * Runs nothing yet.
   *
   * @param userManager whether units run under the user's manager
   * @param place where things are on this machine
   * @param commands runs what people want to run
   */
  public MachineAnswerer(
      boolean userManager, UsageMeter.Place place, Bidder bidder, ExecSessions commands) {
    this.userManager = userManager;
    this.place = place;
    this.bidder = bidder;
    this.commands = commands;
  }

  @Override
  public PendingBid bid(Offer offer, Consumer<Bid> then) {
    return bidder.bid(offer, then);
  }

  @Override
  public Answer answer(Question question) {
    return switch (question) {
      case Question.Status status -> run(status(status), status.colour());
      case Question.Journal journal -> run(journal(journal), false);
      case Question.JournalEntries entries ->
          new JournalAnswer(
              entries, JournalFilter.NONE, Journalctl.of(entries.units(), userManager));
      case Question.FilteredEntries(Question.JournalEntries entries, JournalFilter filter) ->
          new JournalAnswer(entries, filter, Journalctl.of(entries.units(), userManager));
      case Question.Audit audit ->
          new JournalAnswer(
              audit.entries(), JournalFilter.NONE, OwnEntries.here(userManager).of(audit));
      case Question.Usage usage -> new UsageAnswer(meter(), usage);
      case Question.Systemctl call -> carryOut(call);
      case Question.Exec exec -> commands.begin(exec);
      case Question.ExecInput input -> commands.input(input);
      case Question.ExecWindow resized -> commands.resize(resized);
    };
  }

  /**
   * Only units that fleet placed here take calls of systemctl: others of the machine are none of
   * its own.
   */
  private Answer carryOut(Question.Systemctl call) {
    return Files.exists(place.marks().resolve(call.unit().value()))
        ? run(command(call), false)
        : new FailedAnswer("fleet has no unit " + call.unit() + " on this machine\n", 1);
  }

  List<String> command(Question.Systemctl call) {
    List<String> command = systemctl(call.verb().text());
    call.signal()
        .ifPresent(kill -> {
          command.add("--signal=" + kill.signal());
          // By this name also before systemd 252.
          command.add("--kill-who=" + kill.whom());
        });
    String unit = call.unit().value();
    command.addAll(List.of("--", call.verb() == UnitVerb.RESET_FAILED ? ifInMemory(unit) : unit));
    return command;
  }

  /**
   * A pattern that only this unit fits. systemctl has no failure for a pattern that none fits, but
   * for a name that systemd has not in memory: such a unit has nothing to forget.
   */
  private static String ifInMemory(String unit) {
    int last = unit.length() - 1;
    return unit.substring(0, last).replace("\\", "\\\\") + "[" + unit.charAt(last) + "]";
  }

  private List<String> systemctl(String verb) {
    List<String> command = new ArrayList<>(List.of("systemctl"));
    if (userManager) {
      command.add("--user");
    }
    command.add(verb);
    return command;
  }

  private UsageMeter meter() {
    return new UsageMeter(place, managerGroup(), System::nanoTime);
  }

  /** The manager's own group; the topmost one if systemd does not say. */
  private String managerGroup() {
    List<String> command = systemctl("show");
    command.addAll(List.of("--property=ControlGroup", "--value"));
    try (Answer answer = run(command, false)) {
      String group = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8).strip();
      return answer.exitStatus() == 0 ? group : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private List<String> status(Question.Status question) {
    List<String> command = systemctl("status");
    command.addAll(List.of("--full", "--no-pager", "--", question.unit().value()));
    return command;
  }

  private List<String> journal(Question.Journal question) {
    List<String> command = new ArrayList<>(List.of("journalctl"));
    command.addAll(List.of(userManager ? "--user-unit" : "--unit", question.unit().value()));
    command.addAll(List.of("--no-pager", "--lines", Integer.toString(question.lines())));
    command.addAll(List.of("--output", question.output()));
    if (question.follow()) {
      command.add("--follow");
    }
    return command;
  }

  private static Answer run(List<String> command, boolean colour) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Links would be of use on this machine alone, and are shown as control characters elsewhere.
    builder.environment().put("SYSTEMD_URLIFY", "0");
    if (colour) {
      builder.environment().put("SYSTEMD_COLORS", "1");
    }
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return new ProcessAnswer(process);
    } catch (IOException e) {
      return new FailedAnswer(
          "cannot run " + command.getFirst() + ": " + e.getMessage() + "\n",
          AnswerSender.CANNOT_RUN);
    }
  }

  private record ProcessAnswer(Process process) implements Answer {
    @Override
    public InputStream body() {
      return process.getInputStream();
    }

    @Override
    public int exitStatus() throws InterruptedException {
      return process.waitFor();
    }

    @Override
    public void close() {
      process.destroy();
    }
  }

  private record FailedAnswer(String why, int exitStatus) implements Answer {
    @Override
    public InputStream body() {
      return new ByteArrayInputStream(why.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {}
  }
}
