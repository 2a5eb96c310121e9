package fleet.agent.usage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against files as kernels have them; a real machine's are in the tests on machines. */
class UsageMeterTest {

  private static final Resources TOTAL = new Resources(2000, 8L << 30, 1L << 40);

  @TempDir Path root;

  @BeforeEach
  void machine() throws IOException {
    write("proc/stat", "cpu  100 10 50 1000 7 3 2 1 0 0\ncpu0 1 1 1\n");
    write("proc/meminfo", "MemTotal: 8000 kB\nMemFree: 1 kB\nMemAvailable:   6000 kB\n");
    write("proc/self/mountinfo", "22 1 0:1 / / rw - ext4 /dev/vda rw\n");
  }

  private void write(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private void place(String unit, String text) throws IOException {
    write("marks/" + unit, "format=1\n");
    write("units/" + unit, text);
  }

  private String measure(boolean units, String manager) {
    var place =
        new UsageMeter.Place(
            root, root.resolve("marks"), root.resolve("units"), root.resolve("not-there"), TOTAL);
    return new String(new UsageMeter(place, manager, () -> 77).measure(units), UTF_8);
  }

  @Test
  void aMachineTellsWhatItHasReservesAndUses() throws IOException {
    place("web.service", "[Service]\nMemoryMax=1K\nCPUQuota=50%\n");
    place("db.service", "[Service]\nMemoryMax=2K\nTasksMax=7\n[X-Fleet]\nDisk=1M\n");

    assertThat(measure(false, ""))
        .isEqualTo(
            """
            {"nanos":77,"cpuMillis":2000,"cpuNanos":1660000000,"cpuReserved":500,\
            "memory":8589934592,"memoryUsed":2048000,"memoryReserved":3072,\
            "disk":1099511627776,"diskReserved":1048576,"tasksReserved":7,"unitCount":2}
            """);
  }

  @Test
  void unitsAreMeasuredByTheirGroupsOfVersion2() throws IOException {
    write("proc/self/mountinfo", "30 22 0:2 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n");
    place("web.service", "[Service]\nMemoryMax=1K\n");
    place("web@1.service", "[Service]\n");
    place("ended.service", "[Service]\n");
    String slice = "sys/fs/cgroup/user.slice/app.slice/";
    write(slice + "web.service/cpu.stat", "usage_usec 5000\nuser_usec 4000\n");
    write(slice + "web.service/memory.current", "4096\n");
    write(slice + "app-web.slice/web@1.service/cpu.stat", "usage_usec 7\n");
    write(slice + "app-web.slice/web@1.service/memory.current", "8192\n");
    write("sys/fs/cgroup/foreign.service/memory.current", "1\n");

    assertThat(measure(true, "/user.slice"))
        .endsWith(
            """
            "unitCount":3,"units":[{"name":"ended.service"},\
            {"name":"web.service","cpuNanos":5000000,"memoryUsed":4096,"memoryReserved":1024},\
            {"name":"web@1.service","cpuNanos":7000,"memoryUsed":8192}]}
            """);
  }

  @Test
  void unitsAreMeasuredByTheirGroupsOfVersion1() throws IOException {
    write(
        "proc/self/mountinfo",
        """
        30 22 0:2 / /cg/systemd rw,nosuid shared:1 - cgroup cgroup rw,xattr,name=systemd
        31 22 0:3 / /cg/cpu,cpuacct rw,nosuid shared:2 - cgroup cgroup rw,cpu,cpuacct
        32 22 0:4 / /cg/memory rw,nosuid shared:3 - cgroup cgroup rw,memory
        """);
    place("a\\x2db.service", "[Service]\n");
    String group = "/system.slice/a\\x2db.service/";
    write("cg/systemd" + group + "cgroup.procs", "42\n");
    write("cg/cpu,cpuacct" + group + "cpuacct.usage", "123456789\n");
    write("cg/memory" + group + "memory.usage_in_bytes", "4096\n");

    assertThat(measure(true, ""))
        .endsWith(
            "{\"name\":\"a\\\\x2db.service\",\"cpuNanos\":123456789,\"memoryUsed\":4096}]}\n");
  }

  @Test
  void processesAreMeasuredWhereTheKernelDoesNotAccountTheirGroup() throws IOException {
    write("proc/self/mountinfo", "30 22 0:2 / /cg rw - cgroup cgroup rw,name=systemd\n");
    place("web.service", "[Service]\n");
    write("cg/system.slice/web.service/cgroup.procs", "42\n");
    write("cg/system.slice/web.service/worker/cgroup.procs", "43\n44\n");
    write("proc/42/stat", "42 (a (b) c) S 1 1 1 0 -1 4 5 6 7 8 10 20 1 2 20 0 1 0 9");
    write("proc/42/statm", "500 300 100 1 0 50 0\n");
    write("proc/43/stat", "43 (sh) S 1 1 1 0 -1 4 5 6 7 8 1 1 0 0 20 0 1 0 9");
    write("proc/43/statm", "10 5 5 1 0 5 0\n");

    assertThat(measure(true, ""))
        .endsWith("{\"name\":\"web.service\",\"cpuNanos\":350000000,\"memoryUsed\":819200}]}\n");
  }

  @Test
  void aUnitThatWasReplacedReservesWhatItsNewTextSays() throws IOException {
    place("web.service", "[Service]\nMemoryMax=1K\n");
    var place =
        new UsageMeter.Place(root, root.resolve("marks"), root.resolve("units"), root, TOTAL);
    var meter = new UsageMeter(place, "", () -> 0);
    assertThat(new String(meter.measure(false), UTF_8)).contains("\"memoryReserved\":1024");

    Path file = root.resolve("units/web.service");
    var written = Files.getLastModifiedTime(file);
    place("web.service", "[Service]\nMemoryMax=4K\n");
    Files.setLastModifiedTime(
        file, java.nio.file.attribute.FileTime.fromMillis(written.toMillis() + 1000));

    assertThat(new String(meter.measure(false), UTF_8)).contains("\"memoryReserved\":4096");
  }

  @Test
  void whatWasAskedBesideTheFileIsReservedToo() throws IOException {
    place("web.service", "[Service]\nMemoryMax=1K\n");
    write("marks/web.service", "format=1\nrequire.0=Memory=8K\nrequire.1=Cores=0.5\n");
    assertThat(measure(true, ""))
        .contains("\"memoryReserved\":8192")
        .contains("\"cpuReserved\":500")
        .endsWith("\"cpuReserved\":500,\"memoryReserved\":8192}]}\n");
  }
}
