package fleet.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Counts the frames of HTTP/2 on a connection before they are handled. Each costs time of the
 * thread that the connection shares with those of machines: cancelled calls, malformed headers,
 * pings. Once there are too many, nothing further is passed on.
 */
final class FrameLimit extends ChannelInboundHandlerAdapter {

  /** A machine that joins sends about ten. */
  static final int MOST_FRAMES = 48;

  /** A machine that joins sends two or three kilobytes. */
  private static final int MOST_BYTES = 64 << 10;

  private static final int PREFACE_BYTES = 24;
  private static final int HEAD_BYTES = 9;
  private static final int LENGTH_BYTES = 3;

  private final Runnable exceeded;
  private long bytes;
  private int frames;

  /** The number of remaining bytes of a frame's payload. */
  private int skipped = PREFACE_BYTES;

  private int headRead;
  private int length;

  /**
   * @param exceeded ends the connection; may run more than once
   */
  FrameLimit(Runnable exceeded) {
    this.exceeded = exceeded;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf in && isTooMuch(in)) {
      in.release();
      exceeded.run();
    } else {
      context.fireChannelRead(message);
    }
  }

  private boolean isTooMuch(ByteBuf in) {
    bytes += in.readableBytes();
    int at = in.readerIndex();
    while (at < in.writerIndex() && frames <= MOST_FRAMES) {
      if (skipped > 0) {
        int some = Math.min(skipped, in.writerIndex() - at);
        skipped -= some;
        at += some;
      } else {
        takeHead(in.getUnsignedByte(at++));
      }
    }
    return frames > MOST_FRAMES || bytes > MOST_BYTES;
  }

  private void takeHead(int next) {
    if (headRead < LENGTH_BYTES) {
      length = length << Byte.SIZE | next;
    }
    headRead++;
    if (headRead == HEAD_BYTES) {
      frames++;
      skipped = length;
      headRead = 0;
      length = 0;
    }
  }
}
