package fleet.fleetd.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** On machines AddressTest tries what the kernel says. */
class KernelEventsTest {

  private static final int NEW_LINK = 16;
  private static final int NEW_ADDRESS = 20;
  private static final int NEW_ROUTE = 24;
  private static final int ROUTE_GONE = 25;

  @Test
  void theFirstLookIsAtTheBeginningAndAfterTheEndThereIsNone() throws Exception {
    Semaphore looks = new Semaphore(0);
    KernelEvents events = KernelEvents.watch(looks::release);
    looks.acquire();

    events.close();

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("kernel-events");
  }

  @Test
  void anAddressAndTheDefaultRouteMatterAndOtherRoutesDoNot() {
    assertThat(matters(message(NEW_ADDRESS, 24))).isTrue();
    assertThat(matters(message(NEW_ROUTE, 0))).isTrue();
    assertThat(matters(message(ROUTE_GONE, 0))).isTrue();
    assertThat(matters(message(NEW_ROUTE, 24))).isFalse();
    assertThat(matters(message(NEW_LINK, 0))).isFalse();
  }

  @Test
  void eachMessageOfSeveralIsLookedAt() {
    assertThat(matters(message(NEW_ROUTE, 24), message(NEW_ADDRESS, 24))).isTrue();
    assertThat(matters(message(NEW_ROUTE, 24), message(NEW_ROUTE, 32))).isFalse();
    assertThat(matters(new byte[7])).isFalse();
  }

  @Test
  void processorsAndMemoryMatterAndOtherDevicesDoNot() {
    assertThat(isAboutResources("online@/devices/system/cpu/cpu1\0ACTION=online\0")).isTrue();
    assertThat(isAboutResources("add@/devices/system/memory/memory9\0ACTION=add\0")).isTrue();
    assertThat(isAboutResources("add@/devices/virtual/net/veth1\0x@/devices/system/cpu/\0"))
        .isFalse();
  }

  private static boolean isAboutResources(String uevent) {
    return KernelMessages.isAboutResources(
        ByteBuffer.wrap(uevent.getBytes(StandardCharsets.US_ASCII)));
  }

  private static boolean matters(byte[]... messages) {
    ByteBuffer all = ByteBuffer.allocate(200).order(ByteOrder.nativeOrder());
    for (byte[] message : messages) {
      all.put(message);
    }
    return KernelMessages.isAboutAddress(all.flip());
  }

  /** A header, then the family and the length of the prefix. */
  private static byte[] message(int type, int prefix) {
    return ByteBuffer.allocate(28)
        .order(ByteOrder.nativeOrder())
        .putInt(28)
        .putShort((short) type)
        .position(16)
        .put((byte) 2)
        .put((byte) prefix)
        .array();
  }
}
