package fleet.core.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DependenciesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a.service   | [Unit]/Requires=b.service c.mount/Wants=d.socket | b.service c.mount
          a.service   | [Unit]/BindsTo=b.service/Requisite=e.service     | e.service b.service
          a.service   | [Unit]/Requires=a.service                        |
          a.service   | [Unit]/After=b.service/PartOf=c.service          |
          w@1.service | [Unit]/Requires=cfg@%i.service %p-x.timer        | cfg@1.service w-x.timer
          a.service   | [Unit]/Requires=no-type b.service                | b.service
          a.service   | [Service]/Slice=tenant.slice                     | tenant.slice
          a.timer     | [Timer]/OnBootSec=1                              | a.service
          a.timer     | [Timer]/Unit=job.service                         | job.service
          a@x.path    | [Path]/PathExists=%h                             | a@x.service
          a.socket    | [Socket]/ListenStream=1                          | a.service
          a.socket    | [Socket]/Service=other.service                   | other.service
          a.socket    | [Socket]/Accept=yes                              |
          a.service   | [Unit]/Requires=b.service/Requires=/Wants=c.path | b.service
          a.service   | [Unit]/Requires=b.service \\/# c.path/"e.path" d.path | b.service d.path
          a.service   | [Service]/Slice=b.slice/Slice=c.slice/Slice=     | c.slice
          a.timer     | [Timer]/Unit=/Unit=b.service/Unit=c.service      | b.service
          a.socket    | [Socket]/Service=b.service/Service=c.service     | c.service
          a.socket    | [Socket]/Accept=Y/Accept=                        |
          """)
  void areWhatTheFileNames(String unit, String lines, String expected) throws Exception {
    UnitFile file = UnitFile.parse(lines.strip().replace("/", "\n") + "\n");
    List<String> names =
        Dependencies.of(UnitName.of(unit), file).stream().map(UnitName::value).toList();
    assertThat(names)
        .containsExactlyElementsOf(expected == null ? List.of() : List.of(expected.split(" ", -1)));
  }
}
