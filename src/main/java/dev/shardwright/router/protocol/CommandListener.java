package dev.shardwright.router.protocol;

import io.netty.buffer.ByteBuf;

/** What one client does after its login. All calls come on its event loop. */
public interface CommandListener {

    /** A whole command, headers included. The listener releases it and resumes the client when it is answered. */
    void onCommand(ByteBuf command);

    /** The client has sent a packet that was not taken in. It hears so, and is resumed or closed. */
    void onRefused(ClientFrames.Refused packet);

    /**
     * The client is in, but whether there is the database that it named at its login only a server knows. It hears
     * so, and is resumed or closed.
     *
     * @param sequence number of the packet that answers the login
     */
    void enterDatabase(int sequence);

    /** The client reads again, or has stopped reading. */
    void onWritable(boolean writable);

    /** The router itself has failed with this client, which is being closed. */
    void onDefect();

    /** The connection is gone. */
    void onGone();
}
