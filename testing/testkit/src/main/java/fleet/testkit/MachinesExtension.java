package fleet.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives a test machines, as a parameter: {@link Machines}, its own set, or the class's when a
 * method that runs before all tests asked for it first; or {@link SharedMachines}, those of the
 * whole run. Machines have {@code target/fleet} of the checkout named by the system property {@code
 * fleet.root}. When a test fails, {@link Evidence} of its machines is kept, and named in its
 * message.
 */
public final class MachinesExtension
    implements ParameterResolver,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {

  private static final Namespace NAMESPACE = Namespace.create(MachinesExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Machines.class || type == SharedMachines.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (parameter.getParameter().getType() == Machines.class) {
      return store(context)
          .computeIfAbsent(Machines.class, _ -> Machines.create(fleet()), Machines.class);
    }
    SharedMachines shared =
        store(context.getRoot())
            .computeIfAbsent(
                SharedMachines.class,
                _ -> new SharedMachines(() -> Machines.create(fleet())),
                SharedMachines.class);
    store(context).put(Borrowed.class, new Borrowed(shared));
    return shared;
  }

  /** Notes that a test uses the shared machines, without having them closed at its end. */
  private record Borrowed(SharedMachines shared) {}

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable fault)
      throws Throwable {
    throw withEvidence(context, context.getRequiredTestMethod().getName(), fault);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable fault)
      throws Throwable {
    throw withEvidence(context, "before all", fault);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable fault)
      throws Throwable {
    throw withEvidence(context, "before " + context.getRequiredTestMethod().getName(), fault);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable fault)
      throws Throwable {
    throw withEvidence(context, "after " + context.getRequiredTestMethod().getName(), fault);
  }

  @Override
  public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable fault)
      throws Throwable {
    throw withEvidence(context, "after all", fault);
  }

  private static Throwable withEvidence(ExtensionContext context, String when, Throwable fault) {
    Collection<BootedMachine> machines = machines(context);
    if (machines.isEmpty()) {
      return fault;
    }
    String name = context.getRequiredTestClass().getSimpleName() + "." + when;
    Path kept = Evidence.keep(name.replace(' ', '-'), machines);
    return new AssertionError(
        "%s%nThe journals and units of its machines are in %s".formatted(fault.getMessage(), kept),
        fault);
  }

  private static Collection<BootedMachine> machines(ExtensionContext context) {
    Machines own = store(context).get(Machines.class, Machines.class);
    if (own != null) {
      return own.all();
    }
    Borrowed borrowed = store(context).get(Borrowed.class, Borrowed.class);
    return borrowed == null ? List.of() : borrowed.shared().all();
  }

  private static Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }

  private static Optional<Path> fleet() {
    Path fleet = Path.of(System.getProperty("fleet.root", ""), "target/fleet").toAbsolutePath();
    if (!Files.isExecutable(fleet.resolve("bin/fleetd"))) {
      throw new AssertionError(
          fleet + " is not built: run ./dev dist, or the test with ./dev test");
    }
    return Optional.of(fleet);
  }
}
