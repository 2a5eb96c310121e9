package fleet.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationTest {

  private static final Resources MACHINE = new Resources(4000, 8L << 30, 1L << 40);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ExecStart=/bin/true|0|0",
        "MemoryMax=512M|0|536870912",
        "MemoryMax=1.5G|0|1610612736",
        "MemoryMax=1048576|0|1048576",
        "MemoryMax=25%|0|2147483648",
        "MemoryHigh=1K|0|1024",
        "MemoryHigh=1K;MemoryMax=2K|0|2048",
        "MemoryMax=1K;MemoryMax=3K|0|3072",
        "MemoryMax=1K;MemoryMax=|0|0",
        "MemoryMax=infinity;MemoryHigh=2K|0|2048",
        "MemoryMax=much|0|0",
        "CPUQuota=50%|500|0",
        "CPUQuota=250%;MemoryMax=1M|2500|1048576",
        "CPUQuota=|0|0",
        "MemoryMax=1G 512M|0|1610612736",
        "MemoryMax=125‰|0|1073741824",
        "MemoryMax=1G;X-Fleet.Memory=2K|0|2048",
        "MemoryMax=1G;X-Fleet.Memory=infinity|0|0",
        "CPUQuota=50%;X-Fleet.Cores=1.5|1500|0",
        "X-Fleet.Cores=25%|1000|0",
      })
  void aUnitReservesWhatItIsLimitedTo(String options, long cpuMillis, long memory)
      throws Exception {
    String text = options.replace(";X-Fleet.", "\n[X-Fleet]\n").replace(';', '\n');
    UnitFile file = UnitFile.parse("[Service]\n" + text.replace("X-Fleet.", "[X-Fleet]\n") + "\n");

    assertThat(Reservation.of(file).on(MACHINE)).isEqualTo(new Resources(cpuMillis, memory, 0));
  }
}
