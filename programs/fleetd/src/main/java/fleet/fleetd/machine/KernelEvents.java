package fleet.fleetd.machine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import fleet.fleetd.libc.NativeDescriptor;
import fleet.fleetd.libc.SystemCall;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whenever the kernel says that this machine's addresses, default route, processors or memory
 * change. Costs nothing in between: one thread waits in the kernel. If the kernel gives no events,
 * the log says so, and nothing else happens.
 */
public final class KernelEvents implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KernelEvents.class);

  /** An address, its route and what else comes with it follow each other within this. */
  private static final int SETTLES_MILLIS = 200;

  private static final int FOR_EVER = -1;
  private static final int ADDRESSES = 0x10;
  private static final int ROUTES = 0x40;
  private static final int KERNEL = 1;

  private static final int POLL_SIZE = 8;
  private static final short POLLIN = 1;
  private static final int EVENT_FLAGS = 0x80800;

  private static final MethodHandle POLL =
      SystemCall.of("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle EVENTFD =
      SystemCall.of("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle WRITE =
      SystemCall.of("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));

  private final Runnable changed;
  private final CompletableFuture<NativeDescriptor> end = new CompletableFuture<>();
  private final Thread thread;

  private KernelEvents(Runnable changed) {
    this.changed = changed;
    this.thread = Thread.ofPlatform().daemon().name("kernel-events").start(this::run);
  }

  /**
   * Watches until closed.
   *
   * @param changed run by one thread, once at the beginning and then after each change
   */
  public static KernelEvents watch(Runnable changed) {
    return new KernelEvents(changed);
  }

  private void run() {
    try (NetlinkSocket network = NetlinkSocket.open(NetlinkSocket.ROUTE, ADDRESSES | ROUTES);
        NetlinkSocket devices = NetlinkSocket.open(NetlinkSocket.DEVICES, KERNEL)) {
      NativeDescriptor ending = eventfd();
      end.complete(ending);
      // Changes from before the sockets existed made no events.
      changed.run();
      while (!isEnding(FOR_EVER, network.descriptor(), devices.descriptor(), ending.number())
          && !isEnding(SETTLES_MILLIS, ending.number())) {
        if (drained(network, devices)) {
          changed.run();
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "the kernel does not say when this machine's address changes ({}): after a change run"
              + " \"systemctl reload fleet\"",
          e.getMessage());
    } finally {
      end.cancel(false);
    }
  }

  private static NativeDescriptor eventfd() throws IOException {
    return SystemCall.make((_, state) -> {
      int descriptor = (int) EVENTFD.invokeExact(state, 0, EVENT_FLAGS);
      return new NativeDescriptor((int) SystemCall.checked("eventfd", descriptor, state));
    });
  }

  /** Both are empty afterwards. */
  private static boolean drained(NetlinkSocket network, NetlinkSocket devices) throws IOException {
    boolean address = drained(network, KernelMessages::isAboutAddress);
    boolean resources = drained(devices, KernelMessages::isAboutResources);
    return address || resources;
  }

  private static boolean drained(NetlinkSocket socket, Predicate<ByteBuffer> matters)
      throws IOException {
    boolean any = false;
    for (var said = socket.read(); said.isPresent(); said = socket.read()) {
      any |=
          switch (said.get()) {
            case NetlinkSocket.Said.Message(ByteBuffer bytes) -> matters.test(bytes);
            case NetlinkSocket.Said.TooMuch() -> true;
          };
    }
    return any;
  }

  /**
   * Waits for one of these, of which the last says that this is to end.
   *
   * @return whether it does
   */
  private static boolean isEnding(int millis, int... descriptors) throws IOException {
    return SystemCall.make((arena, state) -> {
      MemorySegment polled = arena.allocate((long) POLL_SIZE * descriptors.length, 4);
      for (int i = 0; i < descriptors.length; i++) {
        polled.set(JAVA_INT, (long) POLL_SIZE * i, descriptors[i]);
        polled.set(JAVA_SHORT, (long) POLL_SIZE * i + 4, POLLIN);
      }
      int _ = (int) POLL.invokeExact(state, polled, (long) descriptors.length, millis);
      return polled.get(JAVA_SHORT, polled.byteSize() - 2) != 0;
    });
  }

  /** Returns when nothing is told any more. */
  @Override
  public void close() {
    end.handle((ending, _) -> Optional.ofNullable(ending)).join().ifPresent(this::end);
  }

  private void end(NativeDescriptor ending) {
    try (ending) {
      long _ =
          SystemCall.make((arena, state) -> {
            MemorySegment one = arena.allocateFrom(JAVA_LONG, 1L);
            return (long) WRITE.invokeExact(state, ending.number(), one, one.byteSize());
          });
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
