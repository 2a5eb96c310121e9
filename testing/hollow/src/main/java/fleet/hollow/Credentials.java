package fleet.hollow;

import fleet.rpc.RpcSecurity;
import java.util.List;

/** The credentials that machines show to those they speak to. */
interface Credentials {

  /** Nothing: what they say can be read and forged. */
  Credentials NONE =
      new Credentials() {
        @Override
        public void obtain(List<String> machines) {}

        @Override
        public RpcSecurity of(String machine) {
          return new RpcSecurity.PlainText(true);
        }
      };

  /** Returns when all of these machines have theirs. */
  void obtain(List<String> machines) throws InterruptedException;

  /** The credentials of a machine that has them. */
  RpcSecurity of(String machine);
}
