package fleet.api;

import com.sun.management.UnixOperatingSystemMXBean;
import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics of the process, as the kernel and the Java runtime have them. */
final class ProcessMetrics {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessMetrics.class);
  private static final double MILLIS = 1e3;

  private ProcessMetrics() {}

  static void tell(Meter meter) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os) {
      meter.time(Metric.PROCESS_CPU_SECONDS_TOTAL, os.getProcessCpuTime());
      meter.record(Metric.PROCESS_OPEN_FDS, (double) os.getOpenFileDescriptorCount());
      meter.record(Metric.PROCESS_MAX_FDS, (double) os.getMaxFileDescriptorCount());
    }
    List<String> status = processStatus();
    memory(status, "VmRSS:", Metric.PROCESS_RESIDENT_MEMORY_BYTES, meter);
    memory(status, "VmSize:", Metric.PROCESS_VIRTUAL_MEMORY_BYTES, meter);
    meter.record(
        Metric.PROCESS_START_TIME_SECONDS,
        ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
    meter.record(
        Metric.JVM_MEMORY_HEAP_USED_BYTES,
        (double) ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    meter.record(Metric.JVM_THREADS, ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private static void memory(List<String> status, String field, Metric metric, Meter meter) {
    status.stream()
        .filter(line -> line.startsWith(field))
        .forEach(
            line -> meter.record(metric, Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024.0));
  }

  private static List<String> processStatus() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status"));
    } catch (IOException e) {
      LOG.debug("no memory in the metrics", e);
      return List.of();
    }
  }
}
