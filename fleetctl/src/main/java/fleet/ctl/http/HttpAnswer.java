package fleet.ctl.http;

/** A whole answer. */
public final class HttpAnswer {

  private final HttpReply reply;
  private final byte[] body;

  /** Takes the body as it is, without a copy. */
  public HttpAnswer(HttpReply reply, byte[] body) {
    this.reply = reply;
    this.body = body;
  }

  public HttpReply reply() {
    return reply;
  }

  public byte[] body() {
    return body;
  }

  public int status() {
    return reply.status();
  }
}
