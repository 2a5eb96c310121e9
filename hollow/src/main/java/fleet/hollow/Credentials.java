package fleet.hollow;

import fleet.rpc.RpcSecurity;
import java.util.List;

/** What machines show to whom they speak. */
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

  /** Of a machine that has them. */
  RpcSecurity of(String machine);
}
