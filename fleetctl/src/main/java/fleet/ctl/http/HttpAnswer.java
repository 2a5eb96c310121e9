package fleet.ctl.http;

/** A whole answer. */
public record HttpAnswer(HttpReply reply, byte[] body) {
  public int status() {
    return reply.status();
  }
}
