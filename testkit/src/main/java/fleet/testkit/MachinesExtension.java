package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test a parameter of type {@link Machines}: its own set, or the class's when a method that
 * runs before all tests asked for it first. Machines have {@code target/fleet} of the checkout
 * named by the system property {@code fleet.root}. When a test fails, the journals of its machines
 * are written to {@code target/machines}, and their last lines shown.
 */
public final class MachinesExtension implements ParameterResolver, AfterEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(MachinesExtension.class);
  private static final int LINES_SHOWN = 80;

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Machines.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return store(context)
        .computeIfAbsent(
            Machines.class, key -> Machines.create(Optional.of(fleet())), Machines.class);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Machines machines = store(context).get(Machines.class, Machines.class);
    if (machines != null && context.getExecutionException().isPresent()) {
      String test =
          context.getRequiredTestClass().getSimpleName()
              + "."
              + context.getRequiredTestMethod().getName();
      machines.all().forEach(machine -> keepJournal(test, machine));
    }
  }

  private static Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }

  private static Path fleet() {
    Path fleet = Path.of(System.getProperty("fleet.root", ""), "target/fleet").toAbsolutePath();
    if (!Files.isExecutable(fleet.resolve("bin/fleetd"))) {
      throw new AssertionError(
          fleet + " is not built: run ./dev dist, or the test with ./dev test");
    }
    return fleet;
  }

  private static void keepJournal(String test, Machine machine) {
    String journal = machine.journal();
    Path file = Path.of("target/machines", test, machine.name() + ".journal");
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, journal);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep a journal: " + e.getMessage(), e);
    }
    List<String> lines = journal.lines().toList();
    System.err.printf("The last lines of %s, all of it in %s:%n", machine, file.toAbsolutePath());
    lines.stream()
        .skip(Math.max(0, lines.size() - LINES_SHOWN))
        .forEach(line -> System.err.println("  " + line));
  }
}
