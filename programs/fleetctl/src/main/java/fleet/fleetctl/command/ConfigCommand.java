package fleet.fleetctl.command;

import fleet.entities.SettingEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows and changes the settings of the whole cluster. */
@Command(
    name = "config",
    header = "Show and change cluster-wide settings",
    customSynopsis =
        "[list] [-o FORMAT] [--fields=LIST] [--sort=LIST] [--no-legend] | get NAME | set NAME VALUE"
            + " | unset NAME",
    description = {
      "list (the default): shows all settings, and who set them. get: prints the value of one.",
      "set: changes one, at once and for every leader. Units stay where they are. unset: gives",
      "one its default back.",
      "scheduler.strategy: which machine is best for units without a Strategy= of their own:",
      "least-loaded, spread, binpack, random or bid.",
      "scheduler.bid.count, scheduler.bid.seconds, scheduler.bid.machines: for the strategy bid,",
      "how many bids decide at once, after how many seconds fewer bids decide, and how many",
      "machines are asked at a time.",
      "scheduler.overcommit.cores, scheduler.overcommit.memory: the factor by which the resources",
      "of machines are reserved: 1 is what there is, 1.5 half as much again.",
      "machines.lost.keep: how long machines that are lost or have left stay listed: a duration such",
      "as 12h or 7d, 0 or forever.",
      "Fields: name, value, default, by."
    },
    exitCodeList = {
      "0:the settings were shown, or the setting was changed",
      "1:fleetd could not be asked; there is no such setting, or the value is invalid"
    },
    footer = {
      "fleetctl config list",
      "fleetctl config get scheduler.strategy",
      "fleetctl config set scheduler.strategy binpack",
      "fleetctl config set scheduler.overcommit.memory 1.2",
      "fleetctl config unset scheduler.overcommit.memory"
    })
final class ConfigCommand extends CommandGroup {

  @Mixin ListingOptions look = new ListingOptions();

  @Override
  int run() throws CommandException, FleetException {
    FleetClient client = client();
    String action = action("list");
    look.check(action);
    switch (action) {
      case "list" -> {
        var _ = arguments(0, 0, "config list");
        list(client);
      }
      case "get" -> {
        String name = arguments(1, 1, "config get NAME").getFirst();
        output().line(client.access().setting(name).value());
      }
      case "set" -> {
        List<String> setting = arguments(2, 2, "config set NAME VALUE");
        client.access().set(setting.getFirst(), setting.get(1));
      }
      case "unset" -> client.access().unset(arguments(1, 1, "config unset NAME").getFirst());
      default -> throw unknown("list, get, set or unset");
    }
    return ExitCode.OK;
  }

  private void list(FleetClient client) throws CommandException, FleetException {
    Listing<SettingEntity> listing =
        new Listing<SettingEntity>()
            .with("name", SettingEntity::name)
            .with("value", SettingEntity::value)
            .with("default", SettingEntity::usual)
            .with("by", SettingEntity::by)
            .entity(setting -> setting);
    ListingView view = look.view(session(), listing);
    look.print(output(), view, listing, client.access().settings());
  }
}
