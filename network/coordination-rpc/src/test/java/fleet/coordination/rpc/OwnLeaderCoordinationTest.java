package fleet.coordination.rpc;

import java.io.IOException;

/** The contract within one fleetd, which is its own leader. */
class OwnLeaderCoordinationTest extends SpokenCoordinationContract {

  OwnLeaderCoordinationTest() throws Exception {
    super(leader ->
        new LocalConnector(
            leader.address(),
            leader.coordination,
            (address, _) -> {
              throw new IOException(address + " is elsewhere");
            }));
  }
}
