package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Debian's Ansible on this machine, which reaches machines by ssh. For one thread. */
public final class Ansible {

  private final Path project;
  private final Path folder;

  private Ansible(Path project, Path folder) {
    this.project = project;
    this.folder = folder;
  }

  /**
   * Has machines with Debian 13, the only ones that have sshd and Python, take its key.
   *
   * @param project has ansible.cfg and playbooks
   * @param folder gets the key, the inventory and all that Ansible keeps
   * @param variables of all machines, a line each
   */
  public static Ansible of(
      Path project, Path folder, List<BootedMachine> machines, List<String> variables) {
    Path key = folder.resolve("key");
    Command.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString()).run().orThrow();
    BackgroundTasks.each(machines, machine -> admit(machine, folder.resolve("key.pub")));
    write(
        folder.resolve("hosts.ini"),
        """
        [fleet]
        %s
        [fleet:vars]
        ansible_user=root
        ansible_ssh_private_key_file=%s
        %s
        """
            .formatted(
                machines.stream()
                    .map(one -> one.name() + " ansible_host=" + one.address())
                    .collect(Collectors.joining("\n")),
                key,
                String.join("\n", variables)));
    return new Ansible(project, folder);
  }

  private static void admit(BootedMachine machine, Path key) {
    try {
      machine.write("/root/.ssh/authorized_keys", Files.readString(key));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    machine.succeed("ssh-keygen", "-A");
    machine.succeed("systemctl", "start", "ssh.service");
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a playbook of the project, which must succeed, and gives what that printed. */
  public String play(String playbook, String... options) {
    var line =
        new ArrayList<>(
            List.of(
                "env",
                "ANSIBLE_CONFIG=" + project.resolve("ansible.cfg"),
                "ANSIBLE_HOME=" + folder,
                "ANSIBLE_LOCAL_TEMP=" + folder.resolve("tmp"),
                "ANSIBLE_HOST_KEY_CHECKING=False",
                // The connections that are kept end soon after the last command.
                "ANSIBLE_SSH_ARGS=-o ControlMaster=auto -o ControlPersist=10s",
                "ansible-playbook",
                "--inventory=" + folder.resolve("hosts.ini")));
    line.addAll(List.of(options));
    line.add(project.resolve(playbook).toString());
    return new Command(List.copyOf(line), "").run().orThrow().stdout();
  }
}
