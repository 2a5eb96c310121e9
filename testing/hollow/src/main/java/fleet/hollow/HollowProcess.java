package fleet.hollow;

import fleet.coordination.EventLoop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;

/** The stand-in for the process of one machine's fleetd: its loops, which can all end at once. */
final class HollowProcess {

  private final ScheduledExecutorService timer;
  private final Queue<EventLoop> loops = new ConcurrentLinkedQueue<>();

  HollowProcess(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  EventLoop start(String name, Runnable turnEnd) {
    var loop = new SharedLoop(name, turnEnd, timer);
    loops.add(loop);
    return loop;
  }

  /** Nothing of it happens any more; nobody is told, and its connections stay open. */
  void kill() {
    loops.forEach(EventLoop::close);
  }
}
