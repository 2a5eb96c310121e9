package fleet.bench.micro;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Unit files of the size that people write. */
@State(Scope.Benchmark)
public class SampleUnitFiles {

  // Not final, so that nothing of the work can be done ahead of time.
  private String text =
      """
      [Unit]
      Description=Router %i
      After=docker.service network-online.target
      Requires=docker.service

      [Service]
      EnvironmentFile=/etc/environment
      TimeoutStartSec=20m
      ExecStartPre=-/usr/bin/docker kill router-%i
      ExecStartPre=-/usr/bin/docker rm router-%i
      ExecStart=/usr/bin/docker run --name router-%i \\
        --publish 80:80 --publish 2222:2222 \\
        --env HOST=${COREOS_PRIVATE_IPV4} example/router:v1.2.3
      ExecStop=/usr/bin/docker stop router-%i
      Restart=always
      RestartSec=5

      [X-Fleet]
      Conflicts=router@*.service
      MachineMetadata=region=eu
      """;

  /** Text to options. */
  @Benchmark
  public UnitFile parse() throws UnitFileSyntaxException {
    return UnitFile.parse(text);
  }

  /** Text to options to canonical text to SHA-1; a file keeps its hash, so each needs its own. */
  @Benchmark
  public String parseAndHash() throws UnitFileSyntaxException {
    return UnitFile.parse(text).hash();
  }
}
